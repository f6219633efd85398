import { lookUp } from '../../../descriptor/look-up.ts';
import { type Action, namingProperty, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { GeneratedNames, GeneratedOperation, GeneratedParameter, GeneratedProperty } from './generated-names.ts';
import {
  apiField,
  argumentOf,
  builderOf,
  callOf,
  declared,
  givenParameters,
  isHeader,
  newBuilder,
  plainMethods,
} from './java-calls.ts';
import { type JavaClasses, method } from './java-class.ts';

/** The methods of a resource's actions. */
export function actionsOf(
  resource: ResourceDescriptor,
  names: GeneratedNames,
  classes: JavaClasses,
): readonly string[] {
  const methods = new ActionMethods(resource, names, classes);
  return [methods.list(), methods.get(), methods.create(), ...methods.writes(), methods.change()];
}

interface Row {
  readonly type: string;
  readonly properties: ReadonlyMap<string, GeneratedProperty>;
}

class ActionMethods {
  readonly #resource: ResourceDescriptor;
  readonly #names: GeneratedNames;
  readonly #classes: JavaClasses;

  constructor(resource: ResourceDescriptor, names: GeneratedNames, classes: JavaClasses) {
    this.#resource = resource;
    this.#names = names;
    this.#classes = classes;
  }

  list(): string {
    const operation = this.#operation('list');
    if (!operation) return '';
    const { path } = this.#resource;
    const page = this.#names.models.get(operation.answer);
    const data = page?.get('data');
    const info = page?.get('page');
    const cursors = this.#names.models.get(info?.type ?? '');
    const next = cursors?.get('nextCursor') ?? cursors?.get('next_cursor');
    const cursor = operation.parameters.find(({ place, name }) => place === 'query' && name === 'cursor');
    if (!data || !info || !next || !cursor) return plainMethods('list', operation, path, this.#classes);
    const within = givenParameters(operation, path);
    const type = (text: string) => this.#classes.type(text);
    const list = `Listing<${type(operation.answer)}, ${type(data.type.replace(/^List<(.*)>$/, '$1'))}> list`;
    const parents = declared(within, this.#classes);
    const query = [...parents, `Consumer<${builderOf(operation)}> query`];
    const setters = within.map((one) => `.${one.javaName}(${argumentOf(one)})`).join('');
    return `${lazy(operation, `${list}(${parents.join(', ')})`, `return list(${[...within.map(argumentOf), 'query -> {}'].join(', ')});`)}${lazy(
      operation,
      `${list}(${query.join(', ')})`,
      `return new Listing<>(
        cursor -> {
          ${builderOf(operation)} request = ${newBuilder(operation)};
          query.accept(request);
          if (cursor != null) {
            request.${cursor.javaName}(cursor);
          }
          return ${apiField(operation.api)}.${operation.method}(request${setters}.build());
        },
        page -> page.${data.getter}(),
        page -> page.${info.getter}().${next.getter}());`,
      'The same, with the filters, the order and the size of pages that {@code query} sets.',
    )}`;
  }

  get(): string {
    const operation = this.#operation('get');
    if (!operation) return '';
    return this.#method('get', operation, givenParameters(operation, operation.path));
  }

  create(): string {
    const operation = this.#operation('create');
    if (!operation) return '';
    const given = givenParameters(operation, operation.path);
    const key = operation.parameters.find((one) => isHeader(one, 'idempotency-key'));
    const own = this.#method('create', operation, given);
    const isRequired = !key || given.includes(key);
    if (isRequired) return own;
    return `${own}${this.#method('create', operation, [...given, key], 'The same key never creates twice.')}`;
  }

  writes(): readonly string[] {
    return (['replace', 'update', 'delete'] as const).flatMap((action) => {
      const operation = this.#operation(action);
      return operation ? [this.#write(action, operation)] : [];
    });
  }

  #write(action: Action, operation: GeneratedOperation): string {
    const given = givenParameters(operation, operation.path);
    const match = operation.parameters.find((one) => isHeader(one, 'if-match'));
    const absent = operation.parameters.find((one) => isHeader(one, 'if-none-match'));
    const answer = this.#answer(operation);
    const own = this.#method(action, operation, given);
    const ifAbsent =
      absent && action === 'replace'
        ? method(
            operation,
            `${answer} replaceIfAbsent(${declared(given, this.#classes).join(', ')})`,
            callOf(operation, given, { [absent.javaName]: '"*"' }),
            'The same, only where there is none: otherwise it is {@code PRECONDITION_FAILED}.',
          )
        : '';
    if (!match || given.includes(match)) return own + ifAbsent;
    const isText = this.#row()?.properties.get('version')?.type === 'String';
    const versioned = [...declared(given, this.#classes), `${isText ? 'String' : 'long'} ifVersion`];
    return `${own}${method(
      operation,
      `${answer} ${action}(${versioned.join(', ')})`,
      callOf(operation, given, { [match.javaName]: '"\\"" + ifVersion + "\\""' }),
      'The same, of this version: another one is {@code PRECONDITION_FAILED}.',
    )}${this.#ofRead(action, operation, given)}${ifAbsent}`;
  }

  /** Of what was read, which has the version, and what of the path its properties say. */
  #ofRead(action: Action, operation: GeneratedOperation, given: readonly GeneratedParameter[]): string {
    const row = this.#row();
    const version = row?.properties.get('version');
    if (!row || !version) return '';
    const getters = new Map(given.map((one) => [one, this.#getterOf(one, row.properties)]));
    if ([...getters.values()].every((getter) => getter === undefined)) return '';
    const ofPath = given.filter(({ place }) => place === 'path');
    const other = given.filter((one) => !ofPath.includes(one));
    const parents = ofPath.filter((one) => getters.get(one) === undefined);
    const signature = [
      ...declared(parents, this.#classes),
      `${this.#classes.type(row.type)} read`,
      ...declared(other, this.#classes),
    ];
    const values = [...given.map((one) => getters.get(one) ?? argumentOf(one)), `read.${version.getter}()`];
    return method(
      operation,
      `${this.#answer(operation)} ${action}(${signature.join(', ')})`,
      `${operation.answer === '' ? '' : 'return '}${action}(${values.join(', ')});`,
      'The same, of the version that was read.',
    );
  }

  change(): string {
    const get = this.#operation('get');
    const update = this.#operation('update');
    const patch = update?.parameters.find(({ place }) => place === 'body');
    if (!get || !update || !patch || get.answer !== update.answer) return '';
    const target = givenParameters(get, get.path);
    const getter = this.#row()?.properties.get('version')?.getter;
    const match = getter && update.parameters.find((one) => isHeader(one, 'if-match'));
    const given = givenParameters(update, update.path).map((one) => {
      if (one === match) return `"\\"" + current.${getter}() + "\\""`;
      return one === patch ? 'patch' : target.find(({ name }) => name === one.name) && argumentOf(one);
    });
    if (given.includes(undefined)) return '';
    if (match && !match.isRequired) given.push(`current.${getter}()`);
    const ids = target.map(argumentOf).join(', ');
    const type = this.#classes.type(get.answer);
    const patchType = this.#classes.type(patch.type);
    return method(
      update,
      `${type} change(${[...declared(target, this.#classes), `Change.Patch<${type}, ${patchType}> patchOf`].join(', ')})`,
      `return Change.run(
        () -> get(${ids}),
        patchOf,
        (current, patch) -> update(${given.join(', ')}));`,
      'Reads it and changes it by the patch that is made of it, and does both again when another change got in between.',
    );
  }

  #operation(action: Action): GeneratedOperation | undefined {
    const declaredAction = this.#resource.actions[action];
    return declaredAction && lookUp(this.#names.operations, declaredAction.operationId);
  }

  #answer({ answer }: GeneratedOperation): string {
    return this.#classes.type(answer) || 'void';
  }

  #method(name: string, operation: GeneratedOperation, given: readonly GeneratedParameter[], words?: string): string {
    const signature = `${this.#answer(operation)} ${name}(${declared(given, this.#classes).join(', ')})`;
    return method(operation, signature, callOf(operation, given), words);
  }

  /** The class of a row, and its properties. */
  #row(): Row | undefined {
    const type = (this.#operation('get') ?? this.#operation('update') ?? this.#operation('create'))?.answer ?? '';
    const properties = this.#names.models.get(type);
    return properties && { type, properties };
  }

  /** What reads a parameter of the path off a row. */
  #getterOf({ place, name, type }: GeneratedParameter, properties: Row['properties']): string | undefined {
    const { idParameter, parent } = this.#resource;
    // What a parent is found by is its id, or a property that its children lack.
    const isOfParent = name === parent?.parameter && name === parent.property;
    if (place !== 'path' || (name !== idParameter && !isOfParent)) return undefined;
    const property = properties.get(isOfParent ? name : namingProperty(this.#resource));
    return property?.type === type ? `read.${property.getter}()` : undefined;
  }
}

/** A method that asks for nothing yet. */
const lazy = (...[words, signature, statement]: Parameters<typeof method>): string =>
  method(words, signature, statement).replace(' throws ApiException', '');
