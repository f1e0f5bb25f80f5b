# The end of each launcher, which sets these variables, and sources this with the words of the command:
#
#   home, java, jar   where configs/ is, the JVM, the program
#   launcher          what starts it again, for `up -d` and for MCP clients
#   base              where `data` and `configs` of the user are, unless the working directory has them
#   archive           where the JVM of a group keeps the classes that it has loaded, if it can; with them the next one
#                     and all other commands start in half the time
how=-XX:TieredStopAtLevel=1 # what is over at once isn't worth the better compiler
case " $* " in
  *" -d "* | *" --detach "*) ;;
  " up "*) how=${archive:+-XX:+AutoCreateSharedArchive} ;;
  " mcp "* | " wait "* | " wake "*) # one for each agent
    how="$how -Xms8m -Xmx256m -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0" ;;
esac
if [ -e data/lock ] || [ -e configs/joshua.properties ]; then base=.; fi
# Without a locale the JVM would read words that aren't ASCII as question marks.
[ -n "${LC_ALL:-}${LC_CTYPE:-}${LANG:-}" ] || export LC_ALL=C.UTF-8
size= terminal=false coloured=false
[ -t 2 ] && terminal=true
if [ -t 1 ]; then
  { size=$(stty size <&3 2>/dev/null); } 3>&1 # in it, 1 is its own pipe
  [ -n "${NO_COLOR:-}" ] || [ "${TERM:-dumb}" = dumb ] || coloured=true
fi
exec "$java" @"$home/configs/jvm.options" ${archive:+"-XX:SharedArchiveFile=$archive"} $how \
  -Djoshua.columns="${size#* }" -Djoshua.terminal=$terminal -Djoshua.coloured=$coloured -Djoshua.launcher="$launcher" \
  -Djoshua.parent="$PPID" \
  -Djoshua.base="$base" ${HOME:+"-Duser.home=$HOME"} -jar "$jar" "$@"
