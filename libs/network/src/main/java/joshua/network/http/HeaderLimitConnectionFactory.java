package joshua.network.http;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * A factory of HTTP/1.1 connections that limits requests to {@value #MAX_FIELDS} header fields.
 * Jetty limits only their bytes, and a field of four bytes takes over a hundred in memory.
 */
final class HeaderLimitConnectionFactory extends HttpConnectionFactory {
  private static final int MAX_FIELDS = 100;

  HeaderLimitConnectionFactory(HttpConfiguration http) {
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
