export { answerSamples } from './answer-samples.ts';
