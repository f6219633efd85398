import { accessField, accessFieldKey, accessNullable } from './access-field-rules.ts';
import {
  accessAnonymous,
  accessConstant,
  accessHiddenKey,
  accessIndex,
  accessWord,
  inverseNameRule,
} from './access-lint.ts';
import { accessName, accessOperator, accessScope, accessShape, accessValue } from './access-rules.ts';
import { actionRequest, actionResponse, actionStatus } from './action-rules.ts';
import { actorProperty } from './actor-rules.ts';
import { referenceCycle } from './cycle-rules.ts';
import { defaultValue } from './default-rules.ts';
import { nameDuplicate } from './duplicate-rules.ts';
import { errorCodeKeys, errorCodeStandard, errorCodeWords, problemShape, responseCodes } from './error-rules.ts';
import { extensionPlace, extensionUnknown, extensionValue, extensionWithoutEffect } from './extension-rules.ts';
import { filterOperator, filterProperty, filterSearch, filterStyle, filterType } from './filter-rules.ts';
import { referenceHidden } from './hidden-reference-rules.ts';
import { idChosen, idOfPath, idParameter, idText } from './id-rules.ts';
import { propertyInherited } from './inherited-rules.ts';
import { inputRange } from './input-range-rules.ts';
import {
  inputBounded,
  inputEnum,
  inputManaged,
  inputSchema,
  inputType,
  inputUnknown,
  requiredInitial,
} from './input-rules.ts';
import { int64Pattern } from './int64-rules.ts';
import { keyAccess, keyProperty } from './key-rules.ts';
import { listLimit, listPaging, listParameterType, sortDefault, sortProperty, sortShape } from './list-rules.ts';
import { managedPropertyRequired, managedPropertyType } from './managed-rules.ts';
import { enumCase, pathCase, pathPlural, pathVerb, propertyCase } from './naming-rules.ts';
import { withConditions } from './offered-filter-rules.ts';
import {
  operationIdCase,
  operationIdDuplicate,
  operationIdMissing,
  responseStatus,
  sunsetDeprecated,
} from './operation-rules.ts';
import { ownerAccess, ownerProperty, ownerScope } from './owner-rules.ts';
import { pageShape } from './page-rules.ts';
import { immutablePatch, patchDefault, patchRequired } from './patch-rules.ts';
import { pathDuplicate, pathParameterDeclared, pathParameterName, subResource } from './path-rules.ts';
import { onDelete, referenceTarget, referenceType, uniqueProperties } from './reference-rules.ts';
import {
  propertyTypeKept,
  requiredKnown,
  resourceGet,
  resourceManaged,
  resourceSchemaNamed,
  resourceSchemaOnce,
} from './resource-rules.ts';
import { type Check, whenStrict } from './rule.ts';
import { bodyValues, discriminatorConst, patternSafe, schemaNamed } from './schema-rules.ts';
import { searchLanguage, searchLength, searchParameter, searchProperty } from './search-rules.ts';
import { securityScheme, securityScope } from './security-rules.ts';
import { serverUrlValid } from './server-rules.ts';
import {
  tenantAccess,
  tenantClaim,
  tenantInput,
  tenantKey,
  tenantProperty,
  tenantReference,
  tenantScope,
} from './tenant-rules.ts';
import { throughList, throughName } from './through-rules.ts';
import { transitionsCover, transitionsEnum, transitionsInitial, transitionsKnown } from './transition-rules.ts';
import { enumDuplicate, schemaBounds } from './value-rules.ts';
import { versionReleased } from './version-rules.ts';

/** All rules of the conventions by name, in the order in which they are checked. */
export const RULES: Readonly<Record<string, Check>> = {
  'server-url': serverUrlValid,
  'path-parameter-name': pathParameterName,
  'path-parameter-declared': pathParameterDeclared,
  'path-duplicate': pathDuplicate,
  'path-case': whenStrict(pathCase),
  'path-plural': whenStrict(pathPlural),
  'path-verb': whenStrict(pathVerb),
  'operation-id-missing': operationIdMissing,
  'operation-id-case': whenStrict(operationIdCase),
  'operation-id-duplicate': operationIdDuplicate,
  'response-status': responseStatus,
  'security-scheme': securityScheme,
  'security-scope': securityScope,
  'resource-managed': resourceManaged,
  'resource-schema-named': resourceSchemaNamed,
  'resource-schema-once': resourceSchemaOnce,
  'resource-get': resourceGet,
  'resource-id': idParameter,
  'id-chosen': idChosen,
  'id-text': idText,
  'id-of-path': idOfPath,
  'key-property': keyProperty,
  'key-access': keyAccess,
  'sub-resource': subResource,
  'name-duplicate': nameDuplicate,
  'managed-property-type': managedPropertyType,
  'managed-property-required': managedPropertyRequired,
  'property-type': propertyTypeKept,
  'property-inherited': propertyInherited,
  'property-case': whenStrict(propertyCase),
  'required-known': requiredKnown,
  'required-initial': requiredInitial,
  'enum-case': whenStrict(enumCase),
  'input-schema': inputSchema,
  'input-managed': inputManaged,
  'input-unknown': inputUnknown,
  'input-type': inputType,
  'input-enum': inputEnum,
  'input-bounded': inputBounded,
  'input-range': inputRange,
  'patch-required': patchRequired,
  'patch-default': patchDefault,
  'action-status': actionStatus,
  'action-response': actionResponse,
  'action-request': actionRequest,
  'page-shape': pageShape,
  'through-list': throughList,
  'through-name': throughName,
  'list-paging': listPaging,
  'list-limit': listLimit,
  'list-parameter-type': listParameterType,
  'sort-shape': sortShape,
  'sort-property': sortProperty,
  'sort-default': sortDefault,
  'filter-property': withConditions('filter-property', filterProperty),
  'filter-style': withConditions('filter-style', filterStyle),
  'filter-operator': withConditions('filter-operator', filterOperator),
  'filter-type': withConditions('filter-type', filterType),
  'filter-search': withConditions('filter-search', filterSearch),
  'search-property': searchProperty,
  'search-parameter': searchParameter,
  'search-length': searchLength,
  'search-language': searchLanguage,
  'extension-unknown': extensionUnknown,
  'extension-place': extensionPlace,
  'extension-value': extensionValue,
  'extension-without-effect': extensionWithoutEffect,
  'reference-target': referenceTarget,
  'reference-cycle': referenceCycle,
  'reference-type': referenceType,
  'on-delete': onDelete,
  'reference-hidden': referenceHidden,
  'unique-properties': uniqueProperties,
  'transitions-enum': transitionsEnum,
  'transitions-known': transitionsKnown,
  'transitions-cover': transitionsCover,
  'transitions-initial': transitionsInitial,
  'owner-property': ownerProperty,
  'owner-scope': ownerScope,
  'owner-access': ownerAccess,
  'actor-property': actorProperty,
  'inverse-name': inverseNameRule,
  'access-shape': accessShape,
  'access-name': accessName,
  'access-operator': accessOperator,
  'access-value': accessValue,
  'access-scope': accessScope,
  'access-word': accessWord,
  'access-constant': accessConstant,
  'access-anonymous': accessAnonymous,
  'access-index': accessIndex,
  'access-hidden-key': accessHiddenKey,
  'tenant-property': tenantProperty,
  'tenant-input': tenantInput,
  'tenant-claim': tenantClaim,
  'tenant-scope': tenantScope,
  'tenant-access': tenantAccess,
  'tenant-reference': tenantReference,
  'tenant-key': tenantKey,
  'access-nullable': accessNullable,
  'access-field': accessField,
  'access-field-key': accessFieldKey,
  'immutable-patch': immutablePatch,
  sunset: sunsetDeprecated,
  'error-code-words': errorCodeWords,
  'error-code-keys': errorCodeKeys,
  'error-code-standard': errorCodeStandard,
  'response-codes': responseCodes,
  'problem-shape': problemShape,
  'pattern-safe': patternSafe,
  'int64-pattern': int64Pattern,
  'schema-bounds': schemaBounds,
  'body-values': bodyValues,
  'enum-duplicate': enumDuplicate,
  'default-value': defaultValue,
  'discriminator-const': discriminatorConst,
  'schema-named': schemaNamed,
  'version-released': versionReleased,
};
