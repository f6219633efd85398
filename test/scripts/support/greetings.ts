/** A contract of one custom operation. */
export const GREETINGS = `openapi: 3.1.0
info: { title: Greetings, version: 1.0.0 }
paths:
  /greeting:
    get:
      operationId: greet
      security: [{ bearer: [greetings:read] }]
      responses:
        '200':
          description: Hello.
          content: { application/json: { schema: { type: object, properties: { hello: { type: string } } } } }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
`;
