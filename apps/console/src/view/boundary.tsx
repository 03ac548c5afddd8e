/** Shows an error of a view in its place, and keeps the rest of the page. */
import { Component, type ReactNode } from 'react'
import { ProblemAlert } from './problem-alert.tsx'

interface BoundaryProps {
  /** The class of the element that shows the error. */
  readonly className?: string
  readonly children: ReactNode
}

export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    return (
      <div className={this.props.className}>
        <ProblemAlert error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
      </div>
    )
  }
}
