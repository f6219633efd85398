package com.example.client;

import com.example.client.invoker.ApiException;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A list of the API, entry by entry: each page is asked for when it is needed, and none before. */
public final class Listing<P, T> implements Iterable<T> {
  private final Pages.Fetch<P> fetch;
  private final Function<P, List<T>> data;
  private final Function<P, String> next;

  /** {@code data} are the entries of a page, {@code next} is the cursor of the page after it, or null. */
  public Listing(Pages.Fetch<P> fetch, Function<P, List<T>> data, Function<P, String> next) {
    this.fetch = fetch;
    this.data = data;
    this.next = next;
  }

  @Override
  public Iterator<T> iterator() {
    return stream().iterator();
  }

  /** All entries. */
  public Stream<T> stream() {
    return Pages.all(fetch, data, next);
  }

  /** All pages. */
  public Stream<P> pages() {
    return Pages.all(fetch, page -> List.of(page), next);
  }

  /** The first page. */
  public P page() throws ApiException {
    return page(null);
  }

  /** The page at a cursor that another page has given. */
  public P page(String cursor) throws ApiException {
    return fetch.page(cursor);
  }
}
