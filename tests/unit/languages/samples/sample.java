package com.example;

import java.util.List;
import static java.lang.Math.max;

/**
 * Reads JSON. And more.
 */
@Deprecated
public class Reader<T> extends Base implements Closeable {
  private static final int LIMIT = 10;

  public Reader(String in) { super(in); }

  @Override
  public void close() throws IOException { in.close(); }

  enum Mode { FAST, SLOW; int cost() { return 1; } }
  interface Visitor { void visit(Node n); }
  record Point(int x, int y) { int sum() { return max(x, y); } }
  @interface Marker { String value(); }
}
