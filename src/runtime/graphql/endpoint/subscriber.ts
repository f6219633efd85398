/** A result of a subscription, encoded once for all its subscribers. */
export interface StreamResult {
  /** The result as JSON. */
  readonly json: string;
  /** What takes the place of this result if it is dropped: a report of missed events. Undefined: this is such a report. */
  readonly missed: StreamResult | undefined;
}

/** Who receives the results of a subscription. */
export interface Subscriber {
  /** Takes a result; must not wait for anything. */
  next(result: StreamResult): void;
  /** Nothing more comes. */
  complete(): void;
}

/** Ends a subscription for one subscriber; does nothing the second time. */
export type Leave = () => void;
