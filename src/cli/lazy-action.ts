type Arguments<Command> = Command extends (...args: infer Args) => unknown ? Args : never

/** Creates an action that loads the code of a command when the command runs: most commands need little of a server's code, and --help none of it. */
export const createLazyAction =
  <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  async (...args: Arguments<Module[Name]>): Promise<void> => {
    const module = await load()
    await (module[name] as (...args: Arguments<Module[Name]>) => unknown)(...args)
  }
