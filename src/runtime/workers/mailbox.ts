/** What is sent in one turn of the event loop, by weight: a millisecond's work or two. */
const MOST_AT_ONCE = 500;

/** Sends the messages of one turn of the event loop together: each costs as much as a small request. Heavy ones take several turns. */
export class Mailbox<Message> {
  readonly #send: (batch: readonly Message[]) => void;
  #waiting: Message[] = [];
  #weights: number[] = [];

  constructor(send: (batch: readonly Message[]) => void) {
    this.#send = send;
  }

  /** `weight`: that of a small message is 1. */
  post(message: Message, weight = 1): void {
    this.#waiting.push(message);
    this.#weights.push(weight);
    if (this.#waiting.length === 1) setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    let [count, sum] = [0, 0];
    for (const weight of this.#weights) {
      if (count > 0 && sum + weight > MOST_AT_ONCE) break;
      sum += weight;
      count++;
    }
    const batch = this.#waiting.splice(0, count);
    this.#weights.splice(0, count);
    if (this.#waiting.length > 0) setImmediate(this.#flush);
    this.#send(batch);
  };
}
