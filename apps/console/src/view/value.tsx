/** A value as a reader sees it, by the kind of its field. */
import { Badge, Code, Text } from '@mantine/core'
import { shownMoment } from '../model/moment.ts'
import type { Field } from '../model/record/field.ts'
import { choiceTitle } from '../model/words.ts'
import { Icon } from './icon.tsx'

export function Value({ field, value }: { readonly field: Field; readonly value: unknown }) {
  if (value === null || value === undefined) {
    return (
      <Text span c="dimmed" aria-label="no value">
        –
      </Text>
    )
  }
  switch (field.kind) {
    case 'boolean':
      return value === true ? (
        <span role="img" aria-label="yes" className="flag-yes">
          <Icon sign="check" />
        </span>
      ) : (
        <Text span c="dimmed" size="sm">
          no
        </Text>
      )
    case 'choice':
      return (
        <Badge variant="light" color={toneOf(field, value)} radius="sm" tt="none" fw={500}>
          {choiceTitle(value)}
        </Badge>
      )
    case 'moment':
      return <Moment value={`${value}`} />
    case 'json':
      return isPlainList(value) ? <span>{value.join(', ')}</span> : <Code>{JSON.stringify(value)}</Code>
    default:
      return <span>{`${value}`}</span>
  }
}

/** Texts and numbers beside each other need no brackets. */
function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== 'object')
}

const tones = ['teal', 'orange', 'indigo', 'grape', 'cyan', 'pink', 'lime', 'blue']

/** Each choice has a colour of its own, the same everywhere. */
function toneOf({ choices }: Field, value: unknown): string {
  return tones[Math.max(0, choices.indexOf(value)) % tones.length] ?? 'gray'
}

function Moment({ value }: { readonly value: string }) {
  const shown = shownMoment(value)
  if (!shown) return <span>{value}</span>
  return (
    <time dateTime={value} title={shown.title} className="moment">
      {shown.day}{' '}
      <Text span c="dimmed" inherit>
        {shown.time} UTC
      </Text>
    </time>
  )
}
