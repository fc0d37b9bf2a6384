import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { GatewayMetrics } from './metrics';

/** What operators and orchestrators ask. */
@Module({
  controllers: [HealthController],
  providers: [GatewayMetrics],
})
export class HealthModule {}
