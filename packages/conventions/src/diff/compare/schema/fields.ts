/** Compares the fields of an object: added, removed, required and read-only ones. */
import type { Code } from '../../code.ts'
import type { NextPair, Pair, Use } from '../../pair.ts'
import type { AddRemark } from '../../report/remark.ts'
import { keywordLocation, type Schema, type Shape, shapeOf } from '../../shape.ts'

/** Adds remarks about added, removed and newly required fields, and returns common fields for further comparison. */
export function compareFields(pair: Pair, use: Use, addRemark: AddRemark): readonly NextPair[] {
  const { old, next } = pair
  const names = new Set([...old.fields.keys(), ...next.fields.keys(), ...old.required, ...next.required])
  return [...names].flatMap((name) => compareField(pair, name, use, addRemark))
}

function compareField(pair: Pair, field: string, use: Use, addRemark: AddRemark): readonly NextPair[] {
  const { old, next } = pair
  const oldField = visibleField(old.fields.get(field), use)
  const nextField = visibleField(next.fields.get(field), use)
  const locations = [next.fields.get(field)?.[0], old.fields.get(field)?.[0]] as const
  if (oldField && !nextField)
    addRemark(removedCode(pair, field, use), (name) => `${name(field)} was removed.`, ...locations)
  else if (!oldField && nextField) {
    const isRequired = next.required.has(field)
    addRemark(
      addedCode(pair, field, use),
      (name) => `${name(field)} was added${isRequired ? ' and is required' : ''}.`,
      ...locations,
    )
  } else if (!oldField && !nextField && (isHidden(old.fields.get(field), use) || isHidden(next.fields.get(field), use)))
    return []
  else if (old.required.has(field) !== next.required.has(field)) {
    const isRequired = next.required.has(field)
    const keyword = isRequired ? keywordLocation(next, 'required') : keywordLocation(old, 'required')
    const change = isRequired ? 'became required' : 'became optional'
    addRemark(requiredCode(use, isRequired), (name) => `${name(field)} ${change}.`, ...locations, keyword)
  }
  if (!nextField) return []
  if (!oldField) return isOtherField(old, field) ? [{ old: old.otherFields, next: nextField, step: `.${field}` }] : []
  // Only POST fills in missing fields: PATCH keeps them, PUT requires them.
  const mayBeOmitted = use.method === 'post' && !old.required.has(field) && !next.required.has(field)
  return [{ old: oldField, next: nextField, step: `.${field}`, mayBeOmitted }]
}

/** Whether only the schema of `additionalProperties` describes a field. */
function isOtherField({ fields, patternFields }: Shape, field: string): boolean {
  return !fields.has(field) && patternFields.size === 0
}

/** Read-only fields are not part of requests, and write-only fields not of responses, even if the schema has both. */
function visibleField(field: Schema | undefined, use: Use): Schema | undefined {
  return isHidden(field, use) ? undefined : field
}

function isHidden(field: Schema | undefined, use: Use): boolean {
  if (!field) return false
  const { isReadOnly, isWriteOnly } = shapeOf(field)
  return use.kind === 'response' ? isWriteOnly : isReadOnly
}

function addedCode(pair: Pair, field: string, use: Use): Code {
  const isRequired = pair.next.required.has(field)
  if (use.kind === 'response') return 'response-field-added'
  if (use.kind === 'parameter') return isRequired ? 'parameter-tightened' : 'parameter-loosened'
  const wasImmutable = pair.old.fields.has(field) || (pair.isWhole && use.responseFields?.old.has(field) === true)
  const isUpdate = use.method === 'put' || use.method === 'patch'
  if (!isRequired) return wasImmutable && isUpdate ? 'immutable-field-accepted' : 'request-field-added'
  if (use.method !== 'put' || !pair.isWhole) return 'required-request-field-added'
  return wasImmutable ? 'immutable-field-made-mutable' : 'mutable-field-added'
}

function removedCode(pair: Pair, field: string, use: Use): Code {
  if (use.kind === 'response') return 'response-field-removed'
  if (use.kind === 'parameter') return 'parameter-tightened'
  const isImmutable = pair.next.fields.has(field) || (pair.isWhole && use.responseFields?.next.has(field) === true)
  return isImmutable ? 'field-made-immutable' : 'request-field-removed'
}

function requiredCode(use: Use, isRequired: boolean): Code {
  if (use.kind === 'parameter') return isRequired ? 'parameter-tightened' : 'parameter-loosened'
  if (use.kind === 'request') return isRequired ? 'request-field-made-required' : 'request-field-made-optional'
  return isRequired ? 'response-field-made-required' : 'response-field-made-optional'
}
