import { metricsPort } from './metrics';

describe('the metrics port of services', () => {
  it('reports that the process runs, and whether it is ready', async () => {
    let isReady = false;
    const shown = metricsPort(() => isReady);
    const port = await shown.listen(0, '127.0.0.1');
    const status = async (page: string) => (await fetch(`http://127.0.0.1:${port}/-/${page}`)).status;
    expect([await status('liveness'), await status('readiness')]).toEqual([200, 503]);
    isReady = true;
    expect([await status('liveness'), await status('readiness'), await status('metrics')]).toEqual([200, 200, 200]);
    await shown.close();
  });
});
