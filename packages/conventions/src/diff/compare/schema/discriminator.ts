/** Compares discriminators: the property that names an alternative, and the values of `mapping`. */
import { isObject } from '@nomen/core/openapi'
import { followReference } from '../../location.ts'
import { codeOf, type Pair, type Use } from '../../pair.ts'
import type { AddRemark } from '../../report/remark.ts'
import { keywordLocation, type Shape } from '../../shape.ts'

interface Discriminator {
  readonly property: string
  readonly mapping: ReadonlyMap<string, string>
}

function discriminatorOf({ parts }: Shape): Discriminator | undefined {
  for (const { value } of parts) {
    const keyword = isObject(value) ? value.discriminator : undefined
    if (!isObject(keyword) || typeof keyword.propertyName !== 'string') continue
    const entries = isObject(keyword.mapping) ? Object.entries(keyword.mapping) : []
    return { property: keyword.propertyName, mapping: new Map(entries.map(([key, target]) => [key, `${target}`])) }
  }
  return undefined
}

/** The schema of an alternative as a JSON string. If the mapping has an unknown name, the result is this name. */
function targetText({ choices }: Shape, target: string): string {
  const isTarget = (pointer: string) => `#${pointer}` === target || pointer.endsWith(`/${target}`)
  const alternatives = choices.flatMap((choice) => choice.alternatives)
  const alternative = alternatives.map(followReference).find(({ pointer }) => isTarget(pointer))
  return alternative ? JSON.stringify(alternative.value) : target
}

/** The alternative that a value stands for: by the mapping, or else by the name of its component. */
function targetOf({ choices }: Shape, { mapping }: Discriminator, value: string): string | undefined {
  const alternatives = choices.flatMap((choice) => choice.alternatives).map(followReference)
  const isNamed = alternatives.some(({ pointer }) => pointer === `/components/schemas/${value}`)
  return mapping.get(value) ?? (isNamed ? value : undefined)
}

/** A value of the mapping counts like a value of an enum. The same schema by another name is not a change. */
export function compareDiscriminator({ old, next }: Pair, use: Use, addRemark: AddRemark): void {
  const [oldDiscriminator, nextDiscriminator] = [discriminatorOf(old), discriminatorOf(next)]
  const locations = [keywordLocation(next, 'discriminator'), keywordLocation(old, 'discriminator')] as const
  if (oldDiscriminator?.property !== nextDiscriminator?.property) {
    const effect =
      oldDiscriminator && nextDiscriminator
        ? 'retyped'
        : nextDiscriminator
          ? 'tightened'
          : use.kind === 'response'
            ? 'retyped'
            : 'loosened'
    const [before, after] = [oldDiscriminator?.property ?? 'none', nextDiscriminator?.property ?? 'none']
    addRemark(
      codeOf(use, effect),
      (name) => `discriminator of ${name()} changed from ${before} to ${after}.`,
      ...locations,
    )
  }
  if (!oldDiscriminator || !nextDiscriminator) return
  for (const key of new Set([...oldDiscriminator.mapping.keys(), ...nextDiscriminator.mapping.keys()])) {
    const [before, after] = [targetOf(old, oldDiscriminator, key), targetOf(next, nextDiscriminator, key)]
    if (before === undefined)
      addRemark(codeOf(use, 'enum-value-added'), (name) => `discriminator of ${name()} may be ${key}.`, ...locations)
    else if (after === undefined)
      addRemark(
        codeOf(use, 'enum-value-removed'),
        (name) => `discriminator of ${name()} is no longer ${key}.`,
        ...locations,
      )
    else if (before !== after && targetText(old, before) !== targetText(next, after))
      addRemark(
        codeOf(use, 'retyped'),
        (name) => `${key} of ${name()} stands for ${after}, not ${before}.`,
        ...locations,
      )
  }
}
