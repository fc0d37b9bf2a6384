FROM ruby:3.3-slim
RUN apt-get update && apt-get install -y --no-install-recommends build-essential && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY Gemfile Gemfile.lock ./
RUN bundle config set --local without "development test" && bundle install
COPY . .
RUN useradd --system app
USER app
CMD ["bundle", "exec", "ruby", "app.rb"]
