import { describe, expect, it } from 'vitest';
import { fieldName, typeName, valueName } from '../../../../src/compiler/graphql/names/graphql-name.ts';

describe('the name of a GraphQL field', () => {
  it.each([
    ['title', 'title'],
    ['created_at', 'created_at'],
    ['_links', '_links'],
    ['Title', 'Title'],
    ['first.name', 'firstName'],
    ['x-y', 'xY'],
    ['@type', 'type'],
    ['$ref', 'ref'],
    ['2fa', '_2fa'],
    ['__typename', 'typename'],
    ['the name', 'theName'],
    ['', '_'],
  ])('for the property %j is %s', (property, name) => {
    expect(fieldName(property)).toBe(name);
  });

  it.each([
    ['created_at', 'createdAt'],
    ['id', 'id'],
    ['_links', '_links'],
    ['page_2', 'page2'],
    ['ph_value', 'phValue'],
    ['first.name', 'firstName'],
  ])('in a contract in snake_case, for the property %j, is %s', (property, name) => {
    expect(fieldName(property, 'snake_case')).toBe(name);
  });
});

describe('the name of a GraphQL type', () => {
  it.each([
    ['Widget', 'Widget'],
    ['line_item', 'line_item'],
    ['Ops.Widget', 'OpsWidget'],
    ['Ops.WidgetInput', 'OpsWidgetInput'],
    ['widget-state', 'widgetState'],
    ['3d-part', '_3dPart'],
  ])('for the schema %j is %s', (schema, name) => {
    expect(typeName(schema)).toBe(name);
  });

  it.each([
    ['fruit_tree', 'FruitTree'],
    ['fruit_tree_input', 'FruitTreeInput'],
    ['FruitTree', 'FruitTree'],
  ])('in a contract in snake_case, for the schema %j, is %s', (schema, name) => {
    expect(typeName(schema, 'snake_case')).toBe(name);
  });
});

it.each([
  ['NOVEL', 'NOVEL'],
  ['red', 'red'],
  ['in-progress', 'in_progress'],
  ['red/blue', 'red_blue'],
  ['on hold', 'on_hold'],
  ['3d', '_3d'],
  ['true', 'true_'],
  ['null', 'null_'],
  ['__x', '_x'],
  ['', '_'],
])('the name of a GraphQL enum value for %j is %s', (value, name) => {
  expect(valueName(value)).toBe(name);
});
