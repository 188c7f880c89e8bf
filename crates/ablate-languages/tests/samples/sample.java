package shapes;
import java.util.List;
import java.util.function.*;

public class Sample<T extends Comparable<T>> implements Runnable {
  private static final int LIMIT = 0x10;
  private final List<T> items;
  enum Kind { ROUND, SQUARE }
  interface Area { default int area() { return 0; } }

  public Sample(List<T> items) { this.items = items; }

  @Override
  public void run() {
    int total = 0;
    for (T item : items) {
      if (item != null) { total += item.hashCode() % LIMIT; } else { continue; }
    }
    Function<Integer, Integer> twice = x -> { return x * 2; };
    try { System.out.println(twice.apply(total)); } catch (RuntimeException e) { throw e; } finally { total = 0; }
    switch (total) { case 1: break; default: total++; }
  }
}
