import type { Node } from '../../read/grammar.ts';

/** An operation of the copy, which the steps change, and the path item that holds it. */
export interface ClientOperation {
  readonly node: Node;
  readonly item: Node;
}
