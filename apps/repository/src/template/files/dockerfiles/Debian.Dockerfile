FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
RUN useradd --system --create-home app
WORKDIR /home/app
COPY --chown=app . .
USER app
CMD ["./run.sh"]
