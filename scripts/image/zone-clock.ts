const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** The part of `Temporal` (TC39) that is used: the compiler that builds the package does not have its types. */
declare const Temporal: {
  readonly Instant: {
    fromEpochMilliseconds(ms: number): {
      toZonedDateTimeISO(timeZone: string): Readonly<Record<(typeof FIELDS)[number], number>>;
    };
  };
};

/** The clock of a time zone, in the place of the `Intl.DateTimeFormat` of croner, whose languages take 8 MB of memory. */
export class ZoneClock {
  readonly #timeZone: string;

  /** Throws `RangeError` for an unknown zone. */
  constructor(_locale: string, { timeZone }: { readonly timeZone: string }) {
    this.#timeZone = timeZone;
    this.formatToParts(new Date(0));
  }

  formatToParts(date: Date): readonly { readonly type: string; readonly value: string }[] {
    const time = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(this.#timeZone);
    // 1 BC, the year 0 of ISO 8601, is followed by 1 AD.
    return FIELDS.map((type) => ({
      type,
      value: String(time[type] > 0 || type !== 'year' ? time[type] : 1 - time[type]),
    }));
  }
}
