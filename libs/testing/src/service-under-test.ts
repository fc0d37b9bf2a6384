import { type RunningService, type ServiceDefinition, startService } from '@moothall/service';
import { openTestBed, type TestBed } from './test-bed';

/** The real service on its own test bed. */
export interface ServiceUnderTest extends TestBed {
  running: RunningService;
}

export async function startServiceUnderTest(
  definition: ServiceDefinition,
  settings: Record<string, string> = {},
): Promise<ServiceUnderTest> {
  const bed = await openTestBed(definition.name, settings);
  const running = await startService(definition, bed.env).catch(async (error: unknown) => {
    await bed.stop();
    throw error;
  });
  return {
    ...bed,
    running,
    async stop() {
      await running.stop();
      await bed.stop();
    },
  };
}
