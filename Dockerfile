# The command line and the board in one image: docker build -t readproof . && docker run --rm readproof doctor
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY src ./src
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir -c constraints.txt ".[board,llm]"

FROM python:3.12-slim
# readers of submissions run under bubblewrap
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home readproof \
 && install -d -o readproof /data /board
COPY --from=build /venv /venv
ENV PATH="/venv/bin:$PATH" HF_HOME=/data/.cache
USER readproof
WORKDIR /data
ENTRYPOINT ["readproof"]
CMD ["--help"]
