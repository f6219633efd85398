import { sentPath } from '../../descriptor/sent-path.ts';
import { suggestion } from '../findings/wording.ts';
import { camelCase, parameterOf, pathSegments, pathShape } from '../model/naming.ts';
import { idOf, yamlOf } from './id-rules.ts';
import { atOperation, atParameter } from './place.ts';
import { type Check, severityIn } from './rule.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Path parameters are identifiers, because routers and types accept nothing else. */
export const pathParameterName: Check = function* (draft) {
  for (const { path, place } of draft.paths) {
    for (const name of parameterNames(path)) {
      if (IDENTIFIER.test(name)) continue;
      yield {
        severity: severityIn(draft),
        message: `The parameter \`{${name}}\` of \`${path}\` is not an identifier.`,
        hint: `Write \`{${camelCase(name)}}\`, in the path and in its parameters.`,
        ...place,
      };
    }
  }
};

/** Path templates and declared path parameters match (OpenAPI 3.1, 4.8.12.1). */
export const pathParameterDeclared: Check = function* (draft) {
  for (const operation of draft.operations) {
    const names = parameterNames(operation.path);
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
    for (const name of names.filter((one) => !declared.some((parameter) => parameter.name === one))) {
      yield {
        severity: severityIn(draft),
        message: `\`{${name}}\` of \`${operation.path}\` is not declared for \`${operation.operationId}\`.`,
        hint: `Add \`{ name: ${name}, in: path, required: true, schema: { type: string } }\` to the parameters of the path.`,
        ...atOperation(operation, 'parameters'),
      };
    }
    for (const parameter of declared.filter(({ name }) => !names.includes(name))) {
      yield {
        severity: severityIn(draft),
        message: `The path parameter \`${parameter.name}\` of \`${operation.operationId}\` is not in \`${operation.path}\`.`,
        hint: suggestion(parameter.name, names),
        ...atParameter(parameter),
      };
    }
  }
};

/** Paths that differ only in the names of their parameters are the same path (OpenAPI 3.1, 4.8.8). */
export const pathDuplicate: Check = function* (draft) {
  for (const [, [first, ...others]] of Map.groupBy(draft.paths, ({ path }) => pathShape(sentPath(path)))) {
    for (const { path, place } of others) {
      yield {
        severity: severityIn(draft),
        message: `${path}${first!.path}`.includes('#')
          ? `\`${path}\` is the same path as \`${first!.path}\`: what follows \`#\` is never sent.`
          : `\`${path}\` is the same path as \`${first!.path}\`.`,
        hint: `Move its operations to \`${first!.path}\`. Of those with the same method, the first one is served.`,
        ...place,
      };
    }
  }
};

/** A sub-resource is below a resource and has a property with the id of its parent, of the same type. */
export const subResource: Check = function* ({ resources }) {
  for (const { parent, name, path, schema, operations } of resources) {
    if (parent === undefined) continue;
    if (parent.resource === undefined) {
      yield {
        severity: 'error',
        message: `\`${path}\` is below \`{${parent.parameter}}\`, which is not the id of a resource.`,
        hint: `Declare \`GET ${parentPath(path)}\` with a resource as its 200 response, or move \`${name}\` to a top-level collection.`,
        ...atOperation(operations.get!),
      };
      continue;
    }
    if (parent.parameter !== parent.resource.idParameter) {
      yield {
        severity: 'error',
        message: `\`${path}\` names the id of a \`${parent.resource.name}\` \`{${parent.parameter}}\`, but \`${parent.resource.path}\` names it \`{${parent.resource.idParameter}}\`.`,
        hint: `Write \`{${parent.resource.idParameter}}\` in both.`,
        ...atOperation(operations.get!),
      };
    }
    const id = idOf(parent.resource);
    if (schema.properties.get(parent.property)?.type === id.type && schema.flat.required.has(parent.property)) continue;
    yield {
      severity: 'error',
      message: `\`${name}\` has no property with the id of its \`${parent.resource.name}\`.`,
      hint: `Add the required property \`${parent.property}: { ${yamlOf(id.flat)} }\` to \`${name}\`; the path sets it.`,
      node: schema.node,
      key: 'properties',
    };
  }
};

function parameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]!);
}

function parentPath(path: string): string {
  const segments = pathSegments(path);
  return `/${segments.slice(0, segments.findLastIndex((segment) => parameterOf(segment) !== undefined) + 1).join('/')}`;
}
