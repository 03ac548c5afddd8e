/** How a nested record is related to the records above it in the path. */
import { DeclarationError } from '../declaration/error.ts'
import type { AnyLink } from '../noun/link.ts'
import { type AnyNoun, targetOf } from '../noun/noun.ts'
import type { AnyResource, ResourceOptions, Via } from './resource.ts'

/** One step from a record towards an ancestor: along a reference that it holds, or across a link. */
export type Step =
  | { readonly kind: 'reference'; readonly from: AnyNoun; readonly field: string; readonly to: AnyNoun }
  | { readonly kind: 'link'; readonly from: AnyNoun; readonly link: AnyLink; readonly to: AnyNoun }

/** The way from a nested record to the ancestor at the given level of the path. */
export interface Relation {
  readonly level: number
  readonly steps: readonly Step[]
}

/**
 * The relations that a record must have to stand below these ancestors: to its parent always, and to each one further
 * up that it points at itself. To the others it is related through its parent.
 */
export function relationsOf(child: AnyResource, ancestors: readonly AnyResource[]): readonly Relation[] {
  const relations: Relation[] = []
  ancestors.forEach((ancestor, level) => {
    const isParent = level === ancestors.length - 1
    const { via } = child.options as ResourceOptions
    const steps =
      isParent && via !== undefined ? follow(child.noun, ancestor.noun, via) : direct(child, ancestor, isParent)
    if (steps) relations.push({ level, steps })
  })
  return relations
}

/**
 * The reference by which a record belongs to an ancestor without any step between, so that the path can fill it in.
 *
 * ```ts
 * operations(directory).flatMap(({ levels }) => levels.at(-1)?.relations.map(directReference) ?? [])
 * ```
 */
export function directReference({ steps }: Relation): string | undefined {
  const [step] = steps
  return steps.length === 1 && step?.kind === 'reference' ? step.field : undefined
}

/** The link that stands between a record and its parent, where nothing else does. */
export function directLink({ steps }: Relation): AnyLink | undefined {
  const [step] = steps
  return steps.length === 1 && step?.kind === 'link' ? step.link : undefined
}

function direct(child: AnyResource, ancestor: AnyResource, isParent: boolean): readonly Step[] | undefined {
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
      `"${noun.name}" points at "${ancestor.noun.name}" by ${references.join(' and ')}.`,
      `say which: via: '${references[0]}'.`,
    )
  }
  throw new DeclarationError(
    subject,
    `"${noun.name}" has no reference to "${ancestor.noun.name}".`,
    'say how they are related: via a link, or via a row of links and references that leads to the parent.',
  )
}

function follow(from: AnyNoun, to: AnyNoun, via: Via): readonly Step[] {
  const steps: Step[] = []
  let noun = from
  for (const one of typeof via === 'string' || 'nouns' in via ? [via] : via) {
    const step = typeof one === 'string' ? alongReference(noun, one) : acrossLink(noun, one as AnyLink)
    steps.push(step)
    noun = step.to
  }
  if (steps.length === 0) {
    throw new DeclarationError(`resource "${from.name}"`, 'its via is an empty row.', 'name a reference or a link.')
  }
  if (noun.name !== to.name) {
    throw new DeclarationError(
      `resource "${from.name}"`,
      `its via leads to "${noun.name}", not to its parent "${to.name}".`,
      'end the row at the parent.',
    )
  }
  return steps
}

function alongReference(from: AnyNoun, field: string): Step {
  if (from.fields[field]?.spec.kind !== 'reference') {
    throw new DeclarationError(
      `resource "${from.name}"`,
      `via "${field}", which is no reference of "${from.name}".`,
      'name a reference, or a link.',
    )
  }
  return { kind: 'reference', from, field, to: targetOf(from, field) }
}

function acrossLink(from: AnyNoun, link: AnyLink): Step {
  const [first, second] = link.nouns
  if (from.name !== first.name && from.name !== second.name) {
    throw new DeclarationError(
      `resource "${from.name}"`,
      `via the link "${link.name}", which does not touch "${from.name}".`,
      'begin the row at the child.',
    )
  }
  return { kind: 'link', from, link, to: from.name === first.name ? second : first }
}
