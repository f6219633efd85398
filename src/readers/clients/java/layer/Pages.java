package com.example.client;

import com.example.client.invoker.ApiException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Lists, entry by entry, of which pages are asked for as they are needed. */
public final class Pages {
  private Pages() {}

  /** Asks for the page at a cursor, which is null for the first. */
  @FunctionalInterface
  public interface Fetch<P> {
    P page(String cursor) throws ApiException;
  }

  /** All entries of a list: {@code data} are those of a page, {@code next} is the cursor of the page after it, or null. */
  public static <P, T> Stream<T> all(Fetch<P> fetch, Function<P, List<T>> data, Function<P, String> next) {
    Iterator<T> entries = new PageIterator<>(fetch, data, next);
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(entries, Spliterator.ORDERED), false);
  }

  private static final class PageIterator<P, T> implements Iterator<T> {
    private final Fetch<P> fetch;
    private final Function<P, List<T>> data;
    private final Function<P, String> next;
    private Iterator<T> entries = Collections.emptyIterator();
    private String cursor;
    private boolean isLast;

    PageIterator(Fetch<P> fetch, Function<P, List<T>> data, Function<P, String> next) {
      this.fetch = fetch;
      this.data = data;
      this.next = next;
    }

    @Override
    public boolean hasNext() {
      while (!entries.hasNext() && !isLast) {
        P page = read();
        entries = data.apply(page).iterator();
        cursor = next.apply(page);
        isLast = cursor == null;
      }
      return entries.hasNext();
    }

    private P read() {
      try {
        return fetch.page(cursor);
      } catch (ApiException e) {
        throw new IllegalStateException("The page was not read: " + e.getMessage(), e);
      }
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return entries.next();
    }
  }
}
