export { goRaw, goSamples } from './go/go-sample.ts';
export { javaSamples } from './java/java-sample.ts';
export { pythonLiteral } from './python/python-literal.ts';
export { pythonSamples } from './python/python-sample.ts';
