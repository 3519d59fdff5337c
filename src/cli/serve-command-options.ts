export interface ServeCommandOptions {
  config: string
  sandboxPort?: number
  /** Overrides `embedded_sandbox` of the file. */
  embeddedSandbox?: boolean
}
