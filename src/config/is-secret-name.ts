const SECRET_NAMES = /pass|token|secret|key|authorization/i

/** Tests whether a setting of this name holds a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAMES.test(name)
