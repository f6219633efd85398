export type { CustomReply, CustomRequest } from './custom-handler.ts';
export { createBodyReader } from './request-body.ts';
export { createResponseCheck, type ResponseCheck } from './response-check.ts';
export type { RouteHandler, RouteHandlers, Routes, RouteWiring } from './routes.ts';
