/** The input of a date with time, in UTC or in the time zone of the browser, with a button for the current time. */
import { Button, Group, TextInput, type TextInputProps } from '@mantine/core'
import { format, text } from '../language/language.ts'
import { timeStep, utcTime, wallTime } from '../model/record/wall-time.ts'
import { shownTime } from '../model/shown-time.ts'
import { useTimeZone } from '../state/time-zone.ts'

interface TimeInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  onText(value: string): void
}

export function TimeInput({ value, onText, description, ...rest }: TimeInputProps) {
  const isLocal = useTimeZone() === 'local'
  const { now } = text().record
  return (
    <TextInput
      {...rest}
      type="datetime-local"
      step={timeStep(value)}
      description={[description, noteOf(value, isLocal)].filter(Boolean).join(' ')}
      value={wallTime(value, isLocal)}
      onChange={({ currentTarget }) => onText(utcTime(currentTarget.value, isLocal))}
      inputContainer={(input) => (
        <Group gap={4} wrap="nowrap" className="linked-input">
          {input}
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            disabled={rest.disabled === true}
            onClick={() => onText(`${new Date().toISOString().slice(0, 16)}:00.000Z`)}
          >
            {now}
          </Button>
        </Group>
      )}
    />
  )
}

/** The time zone of the input, and the same time in the other zone. */
function noteOf(value: string, isLocal: boolean): string {
  const { inUtc, inLocalTime, localTime, utcTime: inBoth } = text().record
  const wall = wallTime(value, false)
  if (wall === '') return isLocal ? inLocalTime : inUtc
  if (!isLocal) return localTime(format().local(`${wall}Z`))
  const { day, time } = shownTime(`${wall}Z`) ?? { day: '', time: '' }
  return inBoth(`${day} ${time}`)
}
