import type { ChangeNotification, FollowedRows, Peers } from '../engine/events/peers.ts';
import { type Place, RowOrder } from '../engine/events/row-order.ts';
import { partsOf } from '../redis/message.ts';
import type { FromWorker, ToWorker } from './messages.ts';

type NewsOf<Kind extends FromWorker['kind']> = Extract<FromWorker, { readonly kind: Kind }>;

/** One worker, as the hub sees it. */
export interface Member {
  /** `weight`: that of a small message is 1. */
  post(message: ToWorker, weight?: number): void;
}

interface Channel {
  readonly resource: string;
  release(): void;
}

/** What a member follows, and the places that its transactions have. */
interface Part {
  readonly channels: Map<string, Channel>;
  /** How many of the channels are of each resource. */
  readonly resources: Map<string, number>;
  readonly places: Map<number, Place>;
  /** News of which more follows, by their id. */
  readonly begun: Map<number, ChangeNotification>;
}

/** A resource that is followed. */
interface Followed {
  followers: number;
  /** Resolves when all members place what changes it. */
  readonly agreed: Promise<void>;
}

/**
 * Where the workers of an instance meet, and through which they hear of other instances. The transactions of all workers
 * that change one row have their places here before they are committed, so that everybody gets the events of a row in the
 * order of its versions.
 */
export class Hub {
  readonly #others: Peers | undefined;
  readonly #members = new Map<Member, Part>();
  readonly #order = new RowOrder();
  readonly #followed = new Map<string, Followed>();
  /** Whose answers are waited for. */
  readonly #asked = new Map<number, { readonly members: Set<Member>; readonly done: () => void }>();
  #last = 0;

  /** `others`: the other instances; undefined where they cannot be heard. */
  constructor(others?: Peers) {
    this.#others = others;
    others?.listen({
      onNotification: (notification) => {
        const { stale, changes } = notification;
        for (const member of this.#followersOf([...stale, ...changes.map(({ resource }) => resource)]))
          member.post({ kind: 'news', notification }, changes.length);
      },
      onMissedEvents: (resource) => this.#miss(resource),
    });
  }

  /** A worker that has no transactions yet. */
  join(member: Member): void {
    this.#members.set(member, { channels: new Map(), resources: new Map(), places: new Map(), begun: new Map() });
    for (const resource of this.#followed.keys()) member.post({ kind: 'followed', id: 0, resource });
    member.post({ kind: 'missed', isConnected: this.#isConnected });
  }

  /** A worker that has ended; `isClean`: with all of its work finished. */
  leave(member: Member, isClean: boolean): void {
    const part = this.#members.get(member);
    if (!part) return;
    this.#members.delete(member);
    for (const place of part.places.values()) place.end();
    for (const followed of part.channels.values()) this.#unfollow(part, followed);
    for (const id of [...this.#asked.keys()]) this.#answered(member, id);
    if (isClean) return;
    this.#others?.announceMissedEvents();
    this.#miss(undefined);
  }

  receive(member: Member, message: FromWorker): void {
    const part = this.#members.get(member);
    if (!part) return;
    switch (message.kind) {
      case 'follow':
        void this.#follow(member, part, message);
        break;
      case 'leave': {
        const followed = part.channels.get(message.channel);
        part.channels.delete(message.channel);
        if (followed) this.#unfollow(part, followed);
        break;
      }
      case 'agreed':
        this.#answered(member, message.id);
        break;
      case 'rows': {
        const place = part.places.get(message.place) ?? this.#order.place();
        for (const row of message.rows) place.add(row);
        part.places.set(message.place, place);
        member.post({ kind: 'placed', place: message.place });
        break;
      }
      case 'end':
        part.places.get(message.place)?.end();
        part.places.delete(message.place);
        break;
      case 'news':
        this.#collect(member, part, message);
        break;
      case 'missed':
        this.#others?.announceMissedEvents();
        for (const other of this.#members.keys())
          if (other !== member) other.post({ kind: 'missed', isConnected: this.#isConnected });
        break;
      default:
    }
  }

  /** A member follows a channel anew when the other instances can be heard again. */
  async #follow(member: Member, part: Part, { id, channel: name }: NewsOf<'follow'>): Promise<void> {
    const [resource, rows] = JSON.parse(name) as [string, FollowedRows];
    const following = this.#others?.follow(resource, rows ?? undefined);
    const channel: Channel = { resource, release: () => following?.release() };
    const before = part.channels.get(name);
    part.channels.set(name, channel);
    part.resources.set(resource, (part.resources.get(resource) ?? 0) + 1);
    const followed = this.#followed.get(resource) ?? { followers: 0, agreed: this.#agree(resource) };
    followed.followers++;
    this.#followed.set(resource, followed);
    if (before) this.#unfollow(part, before);
    await Promise.all([followed.agreed, following?.heard]);
    member.post({ kind: 'heard', id });
  }

  #unfollow({ resources }: Part, { resource, release }: Channel): void {
    release();
    const left = (resources.get(resource) ?? 0) - 1;
    if (left > 0) resources.set(resource, left);
    else resources.delete(resource);
    const followed = this.#followed.get(resource);
    if (!followed || --followed.followers > 0) return;
    this.#followed.delete(resource);
    for (const member of this.#members.keys()) member.post({ kind: 'left', resource });
  }

  #agree(resource: string): Promise<void> {
    return new Promise((done) => {
      this.#ask([...this.#members.keys()], (id) => ({ kind: 'followed', id, resource }), done);
    });
  }

  /** Publishes what a transaction has done once all of it is there. */
  #collect(author: Member, part: Part, news: NewsOf<'news'>): void {
    const { id, notification, isContinued } = news;
    const begun = part.begun.get(id);
    const whole = begun ? { ...begun, changes: [...begun.changes, ...notification.changes] } : notification;
    if (isContinued) part.begun.set(id, whole);
    else {
      part.begun.delete(id);
      this.#publish(author, part, { ...news, notification: whole });
    }
  }

  /** Lists are out of date at once; events come behind those of the transactions that have changed the same rows before. */
  #publish(author: Member, part: Part, { id, place: number, notification }: NewsOf<'news'>): void {
    const { stale, changes, tenants } = notification;
    const place = number === undefined ? undefined : part.places.get(number);
    if (number !== undefined) part.places.delete(number);
    if (this.#others) this.#makeStale(author, id, stale);
    const publish = (): void => {
      this.#others?.publish(notification);
      if (changes.length === 0) return;
      const members = this.#followersOf(changes.map(({ resource }) => resource));
      for (const { continued, ...news } of partsOf({ stale: [], changes }))
        for (const member of members)
          if (member !== author) member.post({ kind: 'news', notification: news }, news.changes.length);
      author.post({ kind: 'published', id });
    };
    if (!place) publish();
    else if (!place.end(publish)) this.#others?.publish({ stale, changes: [], ...(tenants && { tenants }) });
  }

  #makeStale(author: Member, id: number, stale: readonly string[]): void {
    const members = this.#followersOf(stale).filter((member) => member !== author);
    this.#ask(
      members,
      (asked) => ({ kind: 'stale', id: asked, stale }),
      () => author.post({ kind: 'noted', id }),
    );
  }

  /** Calls `done` when all of these members have answered, or have ended. */
  #ask(members: readonly Member[], message: (id: number) => ToWorker, done: () => void): void {
    if (members.length === 0) {
      done();
      return;
    }
    const id = ++this.#last;
    this.#asked.set(id, { members: new Set(members), done });
    for (const member of members) member.post(message(id));
  }

  #answered(member: Member, id: number): void {
    const asked = this.#asked.get(id);
    if (!asked?.members.delete(member) || asked.members.size > 0) return;
    this.#asked.delete(id);
    asked.done();
  }

  #followersOf(resources: readonly string[]): readonly Member[] {
    return [...this.#members].flatMap(([member, part]) =>
      resources.some((resource) => part.resources.has(resource)) ? [member] : [],
    );
  }

  get #isConnected(): boolean {
    return this.#others?.isConnected === true;
  }

  #miss(resource: string | undefined): void {
    for (const member of this.#members.keys())
      member.post({ kind: 'missed', resource, isConnected: this.#isConnected });
  }
}
