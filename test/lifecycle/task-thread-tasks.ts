let isFired = false

export function startTimer(): void {
  setTimeout(() => {
    isFired = true
  }, 1)
}

export const hasTimerFired = (): boolean => isFired
