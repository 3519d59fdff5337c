type Arguments<Command> = Command extends (...args: infer Args) => unknown ? Args : never

/** A command whose code is loaded when it is run: most need little of what a server does, and their help none of it. */
export const createLazyAction =
  <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  async (...args: Arguments<Module[Name]>): Promise<void> => {
    const module = await load()
    await (module[name] as (...args: Arguments<Module[Name]>) => unknown)(...args)
  }
