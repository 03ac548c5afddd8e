/** The field of a reference in a form: a dropdown that can create a record, and a link to the selected record. */
import { ActionIcon, Group } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useRefusal } from '../../http/use-refusal.ts'
import { text } from '../../language/language.ts'
import { recordPath } from '../../model/route.ts'
import { nounText } from '../../model/title.ts'
import { useFormLevel } from '../../state/form-level.ts'
import { router } from '../../state/router.ts'
import { Icon } from '../../view/icon.tsx'
import { follow } from '../../view/link.tsx'
import { useCreation } from './creation.ts'
import { ReferenceInput } from './reference-input.tsx'

export function ReferenceField(props: Omit<ComponentProps<typeof ReferenceInput>, 'onCreate' | 'inputContainer'>) {
  const { target, value, isDisabled = false, onChange } = props
  const { create, read } = target.operations
  const openCreation = useCreation()
  const form = useFormLevel()
  const refusal = useRefusal()(target.api, create)
  const canCreate = create !== undefined && refusal === undefined && !isDisabled
  const path = value === null || !read ? undefined : recordPath(target, [value])
  const label = text().record.openReference(nounText(target))
  return (
    <ReferenceInput
      {...props}
      {...(canCreate && { onCreate: (typed) => openCreation({ target, typed, form, onCreated: onChange }) })}
      inputContainer={(input) => (
        <Group gap={4} wrap="nowrap" className="linked-input">
          {input}
          {path !== undefined && (
            <ActionIcon
              component="a"
              variant="subtle"
              color="gray"
              size={34}
              href={`#${path}`}
              aria-label={label}
              title={label}
              onClick={follow(path, (record) => router.openRecord(record))}
            >
              <Icon name="panel" size={16} />
            </ActionIcon>
          )}
        </Group>
      )}
    />
  )
}
