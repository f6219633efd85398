import type { SampleRequest } from '../../../compiler/emit/index.ts';
import { exampleOf, givenExample } from '../../../compiler/json-schema/index.ts';
import type { ContractModel, OperationModel } from '../../../compiler/model/index.ts';
import { basePathOf } from '../../../descriptor/base-path.ts';
import type { MediaType, Response } from '../../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type Sample, sampleOf } from './sample.ts';

/** A server of a contract that has the rows of the samples. */
interface SampleServer {
  /** The body of an answer of success that is JSON, else undefined. `subject`: who must ask, where a row is the caller. */
  answer(sample: Sample, subject: SampleRequest['subject']): Promise<unknown>;
  close(): Promise<void>;
}

export type ServeSamples = (model: ContractModel) => Promise<SampleServer>;

/** What samples are answered: what the contract shows, else what a server has answered, else an example of the schema. */
export class SampleAnswers {
  readonly #model: ContractModel;
  readonly #recorded = new Map<string, unknown>();

  constructor(model: ContractModel) {
    this.#model = model;
  }

  /** Asks a server, for reads first: what is written then changes them. */
  async record(requests: ReadonlyMap<string, SampleRequest>, serve: ServeSamples): Promise<void> {
    const server = await serve(this.#model);
    const base = basePathOf(this.#model.document);
    const asked = this.#model.operations.filter((one) => this.#shown(one)?.schema !== undefined);
    for (const isRead of [true, false])
      for (const { operationId } of asked) {
        const request = requests.get(operationId);
        if (!request || (request.method === 'GET') !== isRead) continue;
        this.#recorded.set(operationId, await server.answer(sampleOf(request, base), request.subject));
      }
    await server.close();
  }

  /** The body of an operation's first answer of success; undefined: it has none that is JSON, or the contract does not say enough. */
  of(operationId: string): unknown {
    const { document, operations } = this.#model;
    const media = this.#shown(operations.find((one) => one.operationId === operationId));
    if (typeof media?.schema !== 'object') return undefined;
    const known = givenExample(document, media) ?? this.#recorded.get(operationId);
    return known === undefined ? exampleOf(document, media.schema, 'writeOnly') : known;
  }

  /** A row of a resource. */
  row({ actions, schemas }: ResourceDescriptor): unknown {
    if (actions.get) return this.of(actions.get.operationId);
    return exampleOf(this.#model.document, { $ref: `#/components/schemas/${schemas.resource}` }, 'writeOnly');
  }

  #shown(operation: OperationModel | undefined): MediaType | undefined {
    return operation && successOf(operation)?.[1].content?.['application/json'];
  }
}

/** The first answer of success, with its status. */
export const successOf = ({ responses }: OperationModel): readonly [status: string, response: Response] | undefined =>
  [...responses].find(([status]) => status.startsWith('2'));
