package joshua.network.http;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Makes connections of HTTP/1.1 whose requests have at most {@value #MAX_FIELDS} header fields.
 * Jetty bounds a head by its bytes, of which a field of four takes a hundred and more in memory.
 */
final class BoundedHeads extends HttpConnectionFactory {
  private static final int MAX_FIELDS = 100;

  BoundedHeads(HttpConfiguration http) {
    super(http);
  }

  @Override
  public org.eclipse.jetty.io.Connection newConnection(Connector connector, EndPoint end) {
    return configure(
        new HttpConnection(getHttpConfiguration(), connector, end) {
          @Override
          protected RequestHandler newRequestHandler() {
            return new RequestHandler() {
              private int fields;

              @Override
              public void parsedHeader(HttpField field) {
                if (++fields > MAX_FIELDS) {
                  throw new HttpException.RuntimeException(
                      431, "at most %d header fields".formatted(MAX_FIELDS));
                }
                super.parsedHeader(field);
              }

              @Override
              public boolean headerComplete() {
                fields = 0; // of the next request
                return super.headerComplete();
              }
            };
          }
        },
        connector,
        end);
  }
}
