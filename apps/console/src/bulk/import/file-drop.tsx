/** An input for a file, chosen or dropped anywhere on the page. */
import { Button, FileButton, Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { text } from '../../language/language.ts'

interface FileDropProps {
  readonly title: string
  /** The file name extensions of the file dialog. */
  readonly accept: string
  readonly isDisabled: boolean
  readonly children: ReactNode
  onFiles(files: readonly File[]): void
}

export function FileDrop({ title, accept, isDisabled, children, onFiles }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const handleDrop = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    // By default the browser opens the dropped file instead of the page.
    event.preventDefault()
    setOver(event.type === 'dragover' && !isDisabled)
    if (event.type === 'drop' && !isDisabled) onFiles([...event.dataTransfer.files])
  })
  useEffect(() => {
    const listen = (event: DragEvent) => handleDrop(event)
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    addEventListener('dragover', listen)
    addEventListener('drop', listen)
    addEventListener('dragleave', leave)
    return () => {
      removeEventListener('dragover', listen)
      removeEventListener('drop', listen)
      removeEventListener('dragleave', leave)
    }
  }, [])
  return (
    <Group className={isOver ? 'file-drop over' : 'file-drop'} gap="sm">
      <FileButton
        onChange={(file) => file && onFiles([file])}
        accept={accept}
        inputProps={{ 'aria-label': text().bulk.file }}
      >
        {(props) => (
          <Button variant="default" disabled={isDisabled} data-autofocus {...props}>
            {title}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {isOver ? text().bulk.dropHere : children}
      </Text>
    </Group>
  )
}
