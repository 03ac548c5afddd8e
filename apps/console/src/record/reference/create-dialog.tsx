/** Creates a record that a field references, without leaving the form of the field. */
import { useMemo, useState } from 'react'
import { text } from '../../language/language.ts'
import { formOf } from '../../model/record/form.ts'
import { labelFields, labelOf } from '../../model/record/label.ts'
import { initialValues, type Values } from '../../model/record/values.ts'
import { idOf } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'
import { useConsole } from '../../state/console-context.ts'
import { FormLevelContext } from '../../state/form-level.ts'
import { Dialog } from '../../view/dialog/dialog.tsx'
import { RecordForm } from '../record-form.tsx'
import { useCreate } from '../use-create.ts'
import type { Creation } from './creation.ts'

interface CreateDialogProps {
  readonly creation: Creation
  /** Escape closes only the last dialog. */
  readonly isTop: boolean
  onClose(): void
}

export default function CreateDialog({ creation, isTop, onClose }: CreateDialogProps) {
  const { target, typed, form, onCreated } = creation
  const { service, notify } = useConsole()
  const { fields } = useMemo(() => formOf(target, 'create'), [target])
  const [initialInput] = useState(() => {
    const [name] = labelFields(service, target)
    const isText = fields.some((field) => field.name === name && field.kind === 'text')
    return initialValues(fields, isText && typed !== '' ? { [`${name}`]: typed } : {})
  })
  const { create, error, isBusy } = useCreate({ collection: target, path: target.path, fields })
  const level = useMemo(() => ({ ...form, path: `${form.path} ${target.noun}` }), [form, target])
  const save = async (values: Values) => {
    const record = await create(values)
    if (!record) return
    notify({ text: text().record.created(labelOf(service, target, record)) })
    onCreated(`${idOf(target, record)}`)
    onClose()
  }
  return (
    <Dialog
      title={text().record.newRecord(nounText(target))}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={isTop}
      onClose={onClose}
    >
      <FormLevelContext value={level}>
        <RecordForm
          collection={target}
          fields={fields}
          managed={[]}
          record={initialInput}
          isNew
          canSave
          isFocused
          error={error}
          isBusy={isBusy}
          onSave={save}
        />
      </FormLevelContext>
    </Dialog>
  )
}
