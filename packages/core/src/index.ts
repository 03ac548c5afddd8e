/** The entry point of @nomen/core: functions that declare nouns, resources and apis, and functions that read them. */

export { type AnyApi, type Api, api } from './api/api.ts'
export type { ApiOptions } from './api/api-option.ts'
export { checkAll, collectDeclarationErrors } from './declaration/collect.ts'
export { type Deprecation, deprecationHeaders } from './declaration/deprecation.ts'
export { DeclarationError } from './declaration/error.ts'
export type { IgnoredRule } from './declaration/ignored-rule.ts'
export type { Collation } from './field/collation.ts'
export {
  type AnyField,
  type Field,
  type FieldKind,
  type FieldSpec,
  hasDefault,
  isSettable,
  isStored,
  type Managed,
  type Reference,
  type Value,
} from './field/field.ts'
export {
  boolean,
  choice,
  date,
  decimal,
  email,
  guid,
  identity,
  integer,
  number,
  reference,
  text,
  timestamp,
  url,
} from './field/kinds.ts'
export { createdAt, createdBy, tenant, updatedAt, updatedBy } from './field/managed-kinds.ts'
export { readBound, readText } from './field/read-text.ts'
export { isStorable, type ReadResult, readValue, scaledDecimal } from './field/read-value.ts'
export { fieldSchema, type JsonSchema } from './field/schema.ts'
export { nearest } from './naming/nearest.ts'
export { singularOf } from './naming/singular.ts'
export { change, hasHistory } from './noun/change.ts'
export type { HistoryOptions } from './noun/history-option.ts'
export { type AnyLink, type Link, link } from './noun/link.ts'
export { type AnyNoun, type Noun, noun, specOf, targetOf, tenantField } from './noun/noun.ts'
export { labelFields } from './noun/noun-option.ts'
export type { ComputedName, ComputedOf, IdentityOf, RecordOf, ValueOf } from './noun/record-type.ts'
export { savedView } from './noun/saved-view.ts'
export { delivery, webhook } from './noun/webhook.ts'
export type { Body, PathProperty } from './operation/body.ts'
export type { CustomParts } from './operation/custom.ts'
export { type HiddenReference, hiddenReferences } from './operation/hidden-reference.ts'
export type { OperationKind } from './operation/kind.ts'
export type {
  CustomParameter,
  EqualParameter,
  ListParameter,
  RangeParameter,
  RecordedParameter,
  SearchParameter,
} from './operation/list-parameter.ts'
export type { Level, Method, Operation } from './operation/operation.ts'
export { isCovered, readScopeOf, scopeOf } from './operation/scope.ts'
export { internalOperations, operations } from './operation/table.ts'
export { fieldScopes, withoutFields } from './operation/without-fields.ts'
export { type CustomFilter, custom, equal, type Filter, range } from './resource/filter.ts'
export {
  type CustomOperation,
  type OperationInput,
  type OperationOptions,
  type OperationOutput,
  operation,
  type ResponseInput,
} from './resource/operation.ts'
export type { CreateOf, DetailOf, ListItemOf, UpdateOf } from './resource/record-type.ts'
export { directReference, type Relation, type Step } from './resource/relation.ts'
export { type AnyResource, type Offer, type Resource, resource } from './resource/resource.ts'
export type { Property, Shape, ShapeName } from './resource/shape.ts'
export { webhooks } from './resource/webhook.ts'
export { type AccessEntry, parseLine, writeLine } from './wire/access-log.ts'
export { type Envelope, type Page, type PageInfo, pageInfo } from './wire/page.ts'
export {
  type FieldError,
  type Problem,
  type ProblemCode,
  type ProblemParts,
  problem,
  problems,
} from './wire/problem.ts'
export { ProblemError } from './wire/problem-error.ts'
