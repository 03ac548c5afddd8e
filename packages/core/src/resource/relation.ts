/** The relations between a nested record and its ancestors in the path. */
import { DeclarationError } from '../declaration/error.ts'
import { change, hasHistory } from '../noun/change.ts'
import type { AnyLink } from '../noun/link.ts'
import { type AnyNoun, targetOf } from '../noun/noun.ts'
import type { AnyResource, ResourceOptions, Via } from './resource.ts'

/** One step (join) from a record to an ancestor: a reference (foreign key), or a link (join table). */
export type Step =
  | { readonly kind: 'reference'; readonly from: AnyNoun; readonly field: string; readonly to: AnyNoun }
  | { readonly kind: 'link'; readonly from: AnyNoun; readonly link: AnyLink; readonly to: AnyNoun }

/** The relation (join path) of a nested record to an ancestor. */
export interface Relation {
  /** The position of the ancestor in the path, from 0. */
  readonly level: number
  /** Empty for a history entry, which has the name of its record. */
  readonly steps: readonly Step[]
  /** Present for a history entry: the noun of its record. */
  readonly history?: AnyNoun
}

/**
 * The relations of a child to its ancestors: always to its parent, and to each further ancestor that it has a reference to.
 * It belongs to the other ancestors through its parent.
 */
export function relationsOf(child: AnyResource, ancestors: readonly AnyResource[]): readonly Relation[] {
  const relations: Relation[] = []
  ancestors.forEach((ancestor, level) => {
    const isParent = level === ancestors.length - 1
    if (child.noun === change) {
      if (isParent) relations.push({ level, steps: [], history: recordedNoun(ancestor) })
      return
    }
    const { via } = child.options as ResourceOptions
    const steps =
      isParent && via !== undefined
        ? viaSteps(child.noun, ancestor.noun, via)
        : referenceSteps(child, ancestor, isParent)
    if (steps) relations.push({ level, steps })
  })
  return relations
}

/**
 * Returns the name of the reference (foreign key) from a record directly to an ancestor, which the path sets; undefined if
 * the relation has other steps.
 *
 * @example
 * ```ts
 * operations(directory).flatMap(({ levels }) => levels.at(-1)?.relations.map(directReference) ?? [])
 * ```
 */
export function directReference({ steps }: Relation): string | undefined {
  const [step] = steps
  return steps.length === 1 && step?.kind === 'reference' ? step.field : undefined
}

/** The link from a record directly to its parent; undefined if the relation has other steps. */
export function directLink({ steps }: Relation): AnyLink | undefined {
  const [step] = steps
  return steps.length === 1 && step?.kind === 'link' ? step.link : undefined
}

function referenceSteps(child: AnyResource, ancestor: AnyResource, isParent: boolean): readonly Step[] | undefined {
  const noun = child.noun as AnyNoun
  const references = Object.keys(noun.fields).filter(
    (field) =>
      noun.fields[field].spec.kind === 'reference' &&
      noun.fields[field].spec.managed === undefined &&
      targetOf(noun, field).name === ancestor.noun.name,
  )
  const [field] = references
  if (field !== undefined && references.length === 1)
    return [{ kind: 'reference', from: noun, field, to: ancestor.noun }]
  if (!isParent) return undefined
  const subject = `resource "${child.options.path ?? noun.name}" below "${ancestor.options.path ?? ancestor.noun.name}"`
  if (references.length > 1) {
    throw new DeclarationError(
      subject,
      `"${noun.name}" has several references to "${ancestor.noun.name}": ${references.join(', ')}.`,
      `select one: via: '${references[0]}'.`,
    )
  }
  throw new DeclarationError(
    subject,
    `"${noun.name}" has no reference to "${ancestor.noun.name}".`,
    'set via to a link, or to a list of references and links that leads to the parent.',
  )
}

function recordedNoun({ noun, options }: AnyResource): AnyNoun {
  if (hasHistory(noun)) return noun
  throw new DeclarationError(
    `resource "change" below "${options.path ?? noun.name}"`,
    `the noun "${noun.name}" has no history.`,
    `add { history: true } to the noun "${noun.name}".`,
  )
}

function viaSteps(from: AnyNoun, to: AnyNoun, via: Via): readonly Step[] {
  const steps: Step[] = []
  let noun = from
  for (const viaStep of typeof via === 'string' || 'nouns' in via ? [via] : via) {
    const step = typeof viaStep === 'string' ? referenceStep(noun, viaStep) : linkStep(noun, viaStep as AnyLink)
    steps.push(step)
    noun = step.to
  }
  if (steps.length === 0) {
    throw new DeclarationError(`resource "${from.name}"`, '"via" is empty.', 'add a reference or a link.')
  }
  if (noun.name !== to.name) {
    throw new DeclarationError(
      `resource "${from.name}"`,
      `"via" leads to "${noun.name}", not to the parent "${to.name}".`,
      `add references or links that lead to "${to.name}".`,
    )
  }
  return steps
}

function referenceStep(from: AnyNoun, field: string): Step {
  if (from.fields[field]?.spec.kind !== 'reference') {
    throw new DeclarationError(
      `resource "${from.name}"`,
      `via has "${field}", which is not a reference of "${from.name}".`,
      'use a reference or a link.',
    )
  }
  return { kind: 'reference', from, field, to: targetOf(from, field) }
}

function linkStep(from: AnyNoun, link: AnyLink): Step {
  const [first, second] = link.nouns
  if (from.name !== first.name && from.name !== second.name) {
    throw new DeclarationError(
      `resource "${from.name}"`,
      `via has the link "${link.name}", which does not link "${from.name}".`,
      `use a link of "${from.name}". Each step of via starts at the noun where the previous step ended; the first step starts at the child.`,
    )
  }
  return { kind: 'link', from, link, to: from.name === first.name ? second : first }
}
