/** Checks that the references in the body of an operation of the service's own lead to records that the caller sees. */
import {
  type AnyApi,
  type AnyNoun,
  type Operation,
  operations,
  ProblemError,
  problem,
  resource,
  type Value,
} from '@nomen/core'
import type { Caller } from '../../define/caller.ts'
import type { Values } from '../../store/plan.ts'
import type { Pipeline } from '../pipeline.ts'
import type { RawRequest } from '../read/ask.ts'
import { bare } from './record-finder.ts'

/** Throws the problem of those that lead nowhere. */
type CheckTargets = (body: Values, raw: RawRequest, caller: Caller) => Promise<void>

/** Specialises that at start; undefined where the body holds no references. */
export function targetCheck({ custom }: Operation, readLine: (read: Operation) => Pipeline): CheckTargets | undefined {
  if (!custom || custom.targets.size === 0) return undefined
  const lines = [...custom.targets].map(([name, noun]) => ({ name, read: readLine(readOf(noun)) }))
  return async (body, raw, caller) => {
    const missing: { name: string; value: Value }[] = []
    for (const { name, read } of lines) {
      const value = body[name] ?? null
      if (value !== null && !(await isThere(read, bare(raw, [`${value}`]), caller))) missing.push({ name, value })
    }
    if (missing.length > 0) throw noTarget(missing)
  }
}

async function isThere(read: Pipeline, raw: RawRequest, caller: Caller): Promise<boolean> {
  try {
    return (await read(raw, caller)).status === 200
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'record-not-found') return false
    throw error
  }
}

function noTarget(missing: readonly { readonly name: string; readonly value: Value }[]): ProblemError {
  return new ProblemError(
    problem('reference-not-found', {
      detail: missing.map(({ name, value }) => `${name} ${value} does not exist.`).join(' '),
      hint: 'Use the identity of a record that is there.',
      errors: missing.map(({ name, value }) => ({ pointer: `/${name}`, detail: `${value} does not exist` })),
    }),
  )
}

/** A read that no api offers, as the store does it. */
function readOf(noun: AnyNoun): Operation {
  const shown = resource(noun, { offers: ['read'], complete: [noun.identity], list: [noun.identity] } as object)
  const api: AnyApi = {
    // No api of a service can bear this name.
    name: 'references of the service',
    options: { versioning: 'per-noun', writes: 'nested', resources: [shown] },
  }
  return operations(api)[0] as Operation
}
