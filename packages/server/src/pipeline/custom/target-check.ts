/** Checks that the references in the body of a custom operation lead to records that the caller can see. */
import { type AnyNoun, type Operation, ProblemError, resource, type Value } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import { unofferedOperations } from '../../logic/record-reads.ts'
import type { Values } from '../../store/plan.ts'
import type { Pipeline } from '../pipeline.ts'
import type { RawRequest } from '../read/parsed-request.ts'
import { referenceNotFound } from '../respond/rejection-problem.ts'
import { bareRequest } from './record-finder.ts'

/** Throws `reference-not-found` with all references that lead to no record. */
type CheckTargets = (body: Values, raw: RawRequest, caller: Caller) => Promise<void>

/** Creates the check of one operation at start; undefined if the body has no references. */
export function targetCheck(
  { custom }: Operation,
  readPipeline: (read: Operation) => Pipeline,
): CheckTargets | undefined {
  if (!custom || custom.targets.size === 0) return undefined
  const targets = [...custom.targets].map(([name, noun]) => ({ name, read: readPipeline(readOf(noun)) }))
  return async (body, raw, caller) => {
    const missing: { name: string; value: Value }[] = []
    for (const { name, read } of targets) {
      const value = body[name] ?? null
      if (value !== null && !(await exists(read, bareRequest(raw, [`${value}`]), caller))) missing.push({ name, value })
    }
    if (missing.length > 0) throw referenceNotFound(missing)
  }
}

async function exists(read: Pipeline, raw: RawRequest, caller: Caller): Promise<boolean> {
  try {
    return (await read(raw, caller)).status === 200
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'record-not-found') return false
    throw error
  }
}

/** Reads the identity only. */
function readOf(noun: AnyNoun): Operation {
  const options = { offers: ['read'], complete: [noun.identity], list: [noun.identity] } as object
  return unofferedOperations('references of the service', resource(noun, options))[0] as Operation
}
