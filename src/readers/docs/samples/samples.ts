import { requestsById, type SampleRequest } from '../../../compiler/emit/index.ts';
import type { ContractModel } from '../../../compiler/model/index.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import {
  goEvents,
  goSamples,
  javaEvents,
  javaSamples,
  pythonEvents,
  pythonSamples,
  type SampleEvents,
  type SampleUse,
} from '../../clients/samples.ts';
import { block } from '../layout/markdown.ts';
import { curlSample } from './curl.ts';
import { goSample } from './go.ts';
import { javaSample } from './java.ts';
import { pythonSample } from './python.ts';
import { sampleOf } from './sample.ts';
import { typescriptSamples } from './typescript.ts';

/** A call of an operation in one language. */
export interface CodeSample {
  /** As highlighters know it. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Samples of an operation, by its id, from the examples of the contract. `base`: the URL of the API. */
export function codeSamples(
  model: ContractModel,
  base: string,
  requests = requestsById(model),
): (operationId: string) => readonly CodeSample[] {
  const typescript = typescriptSamples(model, base);
  const clients = clientSamples(model, base);
  return (operationId) => {
    const request = lookUp(requests, operationId);
    return [
      { lang: 'sh', label: 'curl', source: curlSample(sampleOf(request, base)) },
      { lang: 'ts', label: 'TypeScript', source: typescript(request) },
      ...clients.calls(request),
    ];
  };
}

/** Samples in the languages whose clients are made by generators. */
export interface ClientSamples {
  /** A call; of one that a client cannot make, a plain request. With a use, those that the clients have. */
  calls(request: SampleRequest, use?: SampleUse): readonly CodeSample[];
  /** Programs that follow a subscription. */
  events(events: SampleEvents): readonly CodeSample[];
}

export function clientSamples(model: ContractModel, base: string): ClientSamples {
  const languages = [
    {
      ...{ lang: 'python', label: 'Python', plain: pythonSample },
      ...{ call: pythonSamples(model, base), follow: pythonEvents(model, base) },
    },
    { lang: 'go', label: 'Go', plain: goSample, call: goSamples(model, base), follow: goEvents(model, base) },
    {
      ...{ lang: 'java', label: 'Java', plain: javaSample },
      ...{ call: javaSamples(model, base), follow: javaEvents(model, base) },
    },
  ];
  const made = (sourceOf: (language: (typeof languages)[number]) => string | undefined): readonly CodeSample[] =>
    languages.flatMap((language) => {
      const source = sourceOf(language);
      return source === undefined ? [] : [{ lang: language.lang, label: language.label, source }];
    });
  return {
    calls: (request, use) =>
      made(({ call, plain }) => call(request, use) ?? (use ? undefined : plain(sampleOf(request, base)))),
    events: (events) => made(({ follow }) => follow(events)),
  };
}

/** Samples as blocks of code, each in its language. */
export const sampleBlocks = (samples: readonly CodeSample[]): string =>
  samples.map(({ lang, label, source }) => block(lang, source, label)).join('\n');
