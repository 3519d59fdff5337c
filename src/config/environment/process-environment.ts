export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process. No other file reads `process.env`. */
export const environment: Environment = process.env

/** Sets variables, whether or not they are set already. */
export const setVariables = (variables: Readonly<Record<string, string>>): void => {
  Object.assign(process.env, variables)
}
