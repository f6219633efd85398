import { goSamples, javaSamples, pythonSamples } from '../../../clients/samples.ts';
import { requestsById } from '../../../compiler/emit/sample-requests.ts';
import type { ContractModel } from '../../../compiler/model/model.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
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
  const python = pythonSamples(model, base);
  const go = goSamples(model, base);
  const java = javaSamples(model, base);
  return (operationId) => {
    const request = lookUp(requests, operationId);
    const sample = sampleOf(request, base);
    return [
      { lang: 'sh', label: 'curl', source: curlSample(sample) },
      { lang: 'ts', label: 'TypeScript', source: typescript(request) },
      { lang: 'python', label: 'Python', source: python(request) ?? pythonSample(sample) },
      { lang: 'go', label: 'Go', source: go(request) ?? goSample(sample) },
      { lang: 'java', label: 'Java', source: java(request) ?? javaSample(sample) },
    ];
  };
}
