/** A strict parser for Prometheus' text format: every deviation is an error. */

export interface ReadFamily {
  readonly help: string
  readonly type: string
  readonly samples: readonly ReadSample[]
}

export interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const namePattern = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const sampleLine = new RegExp(`^(${namePattern})(?:\\{(.*)\\})? (\\S+)$`)
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/y

/** All families by name. */
export function readExposition(text: string): ReadonlyMap<string, ReadFamily> {
  if (!text.endsWith('\n')) throw new Error('The last line must end with a newline.')
  const families = new Map<string, ReadFamily & { samples: ReadSample[] }>()
  let current: [string, ReadFamily & { samples: ReadSample[] }] | undefined
  let help: readonly [string, string] | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', value = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind === 'HELP') help = [name, value]
    else if (kind === 'TYPE') {
      if (help?.[0] !== name) throw new Error(`${name} has a type without a help text before it.`)
      if (families.has(name)) throw new Error(`${name} occurs twice.`)
      if (!['counter', 'gauge', 'histogram'].includes(value)) throw new Error(`${name} has the unknown type ${value}.`)
      current = [name, { help: help[1], type: value, samples: [] }]
      families.set(...current)
    } else {
      const sample = readSample(line)
      if (!current || !belongs(sample, ...current)) throw new Error(`This line belongs to another family: ${line}`)
      current[1].samples.push(sample)
    }
  }
  for (const [name, family] of families) check(name, family)
  return families
}

function readSample(line: string): ReadSample {
  const [, name = '', labels = '', text = ''] = sampleLine.exec(line) ?? []
  const value =
    { '+Inf': Number.POSITIVE_INFINITY, '-Inf': Number.NEGATIVE_INFINITY, NaN: Number.NaN }[text] ?? Number(text)
  if (name === '' || (Number.isNaN(value) && text !== 'NaN'))
    throw new Error(`This line is not a valid sample: ${line}`)
  return { name, labels: readLabels(labels), value }
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {}
  labelPair.lastIndex = 0
  while (labelPair.lastIndex < text.length) {
    const [, name, value = ''] = labelPair.exec(text) ?? []
    if (name === undefined || Object.hasOwn(labels, name)) throw new Error(`These are not valid labels: ${text}`)
    labels[name] = value.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter))
  }
  return labels
}

function belongs({ name, labels }: ReadSample, family: string, { type }: ReadFamily): boolean {
  if (type !== 'histogram') return name === family
  return name === `${family}_bucket` ? labels.le !== undefined : name === `${family}_sum` || name === `${family}_count`
}

function check(name: string, { type, samples }: ReadFamily): void {
  const keys = samples.map((sample) => `${sample.name}${seriesOf(sample.labels)}le=${sample.labels.le}`)
  if (new Set(keys).size !== keys.length) throw new Error(`${name} has a duplicate series.`)
  if (samples.length === 0) throw new Error(`${name} has no samples.`)
  if (type === 'counter' && !name.endsWith('_total'))
    throw new Error(`${name} is a counter; its name must end with _total.`)
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below zero.`)
  if (type === 'histogram') checkHistogram(name, samples)
}

/** Bucket counts increase, and the last bucket is infinite and equals the count. */
function checkHistogram(name: string, samples: readonly ReadSample[]): void {
  for (const series of new Set(samples.map(({ labels }) => seriesOf(labels)))) {
    const seriesSamples = samples.filter(({ labels }) => seriesOf(labels) === series)
    const buckets = seriesSamples.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)))
    const count = seriesSamples.find((sample) => sample.name === `${name}_count`)?.value
    const isRising = buckets.every(({ value }, index) => index === 0 || value >= (buckets[index - 1]?.value ?? 0))
    const isOrdered = bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? 0))
    const hasSum = seriesSamples.some((sample) => sample.name === `${name}_sum`)
    if (
      !isRising ||
      !isOrdered ||
      !hasSum ||
      bounds.at(-1) !== Number.POSITIVE_INFINITY ||
      buckets.at(-1)?.value !== count
    )
      throw new Error(`${name}${series} is not a valid histogram.`)
  }
}

function seriesOf({ le: _, ...labels }: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort())
}
