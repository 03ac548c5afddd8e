/** A value for people, by the kind of its field. */
import { Badge, Code, Text } from '@mantine/core'
import { format, text } from '../language/language.ts'
import type { Field } from '../model/record/field.ts'
import { toneOf } from '../model/record/tone.ts'
import { shownTime } from '../model/shown-time.ts'
import { choiceTitle } from '../model/title.ts'
import { useTimeZone } from '../state/time-zone.ts'
import { Icon } from './icon.tsx'

export function Value({ field, value }: { readonly field: Field; readonly value: unknown }) {
  if (value === null || value === undefined) {
    return (
      <Text span c="dimmed" aria-label={text().common.noValue}>
        –
      </Text>
    )
  }
  switch (field.kind) {
    case 'boolean':
      return <Flag value={value === true} isNullable={field.isNullable} />
    case 'choice':
      return (
        <Badge variant="light" color={toneOf(value)} radius="sm" tt="none" fw={500}>
          {choiceTitle(value, field.choices)}
        </Badge>
      )
    case 'date':
      return <span>{format().day(`${value}`)}</span>
    case 'integer':
    case 'number':
      return <span>{numberText(field, value)}</span>
    case 'decimal':
      return <span>{format().decimal(`${value}`)}</span>
    case 'color':
      return (
        <span className="color-value">
          <span className="color-swatch" style={{ background: `${value}` }} />
          {`${value}`}
        </span>
      )
    case 'timestamp':
      return <Timestamp value={`${value}`} />
    case 'json':
      return isPlainList(value) ? <span>{value.join(', ')}</span> : <Code>{JSON.stringify(value)}</Code>
    default:
      return isColor(value) ? <Value field={{ ...field, kind: 'color' }} value={value} /> : <span>{`${value}`}</span>
  }
}

/** An ID is a name, so it has no separators. */
function numberText({ name, isIdentity }: Field, value: unknown): string {
  const isId = isIdentity || /(^id|Id|Ref)$/.test(name)
  return typeof value === 'number' && !isId ? format().value(value) : `${value}`
}

/** A text such as `#0b7285`. */
function isColor(value: unknown): boolean {
  return typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)
}

/** A dash stands for no, unless it would look like a missing value. */
function Flag({ value, isNullable }: { readonly value: boolean; readonly isNullable: boolean }) {
  const { valueYes, valueNo } = text().common
  return (
    <span role="img" aria-label={value ? valueYes : valueNo} className={value ? 'flag flag-yes' : 'flag'}>
      {value ? <Icon name="check" /> : isNullable ? <Icon name="close" /> : '–'}
    </span>
  )
}

/** A list of texts and numbers is shown without brackets. */
function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object')
}

export function Timestamp({ value }: { readonly value: string }) {
  const shown = shownTime(value, useTimeZone() === 'local')
  if (!shown) return <span>{value}</span>
  return (
    <time dateTime={value} title={shown.title} className="moment">
      {shown.day}{' '}
      <Text span c="dimmed" inherit>
        {shown.time}
      </Text>
    </time>
  )
}
