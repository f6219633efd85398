package com.example.client;

/** What {@code ifNoneMatch} names is still current (304): there is nothing new to read. */
public final class NotModifiedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotModifiedException() {
    super("304 Not Modified", null, false, false);
  }
}
