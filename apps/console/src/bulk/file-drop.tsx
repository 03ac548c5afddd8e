/** Takes a file: one that is chosen, or that is dropped anywhere on the page while this is shown. */
import { Button, FileButton, Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

interface FileDropProps {
  readonly title: string
  /** The endings of names that are offered to choose from. */
  readonly accept: string
  readonly isDisabled: boolean
  readonly children: ReactNode
  onFiles(files: readonly File[]): void
}

export function FileDrop({ title, accept, isDisabled, children, onFiles }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    // Else the browser would leave the page for the file.
    event.preventDefault()
    setOver(event.type === 'dragover' && !isDisabled)
    if (event.type === 'drop' && !isDisabled) onFiles([...event.dataTransfer.files])
  })
  useEffect(() => {
    const listen = (event: DragEvent) => take(event)
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
        inputProps={{ 'aria-label': 'File to import' }}
      >
        {(props) => (
          <Button variant="default" disabled={isDisabled} data-autofocus {...props}>
            {title}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {isOver ? 'Let it go here.' : children}
      </Text>
    </Group>
  )
}
