export { clientModel } from './common/client-model.ts';
export type { SampleEvents, SampleUse } from './common/sample-use.ts';
export { goRaw } from './go/go-call.ts';
export { goEvents, goSamples } from './go/go-sample.ts';
export { javaEvents, javaSamples } from './java/java-sample.ts';
export { pythonLiteral } from './python/python-literal.ts';
export { pythonEvents, pythonSamples } from './python/python-sample.ts';
